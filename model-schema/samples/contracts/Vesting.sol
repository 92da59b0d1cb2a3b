// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
}

/// Releases granted tokens linearly over a time, none before the cliff. The tokens must have been sent to this contract.
contract Vesting {
    event Granted(address indexed holder, uint256 amount);
    event Released(address indexed holder, uint256 amount);

    error NothingDue(address holder);

    struct Grant {
        uint256 amount;
        uint256 released;
    }

    IToken public immutable token;
    uint64 public immutable start;
    uint64 public immutable cliff;
    uint64 public immutable duration;
    mapping(address => Grant) public grants;
    uint256 public granted;

    constructor(address token_, uint64 start_, uint64 cliff_, uint64 duration_) {
        require(duration_ > 0, "no duration");
        token = IToken(token_);
        start = start_;
        cliff = cliff_;
        duration = duration_;
    }

    function grant(address holder, uint256 amount) external {
        grants[holder].amount += amount;
        granted += amount;
        emit Granted(holder, amount);
    }

    /// Tokens of a grant that are due at a time, released ones included.
    function vested(address holder, uint64 time) public view returns (uint256) {
        uint256 amount = grants[holder].amount;
        if (time < start + cliff) return 0;
        if (time >= start + duration) return amount;
        return amount * (time - start) / duration;
    }

    function releasable(address holder) public view returns (uint256) {
        return vested(holder, uint64(block.timestamp)) - grants[holder].released;
    }

    function release() external returns (uint256 amount) {
        amount = releasable(msg.sender);
        if (amount == 0) revert NothingDue(msg.sender);
        grants[msg.sender].released += amount;
        require(token.transfer(msg.sender, amount));
        emit Released(msg.sender, amount);
    }
}
