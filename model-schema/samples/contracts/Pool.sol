// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// A market of two tokens that keeps the product of its reserves: x * y never falls. Of what a trader pays in, `fee` parts in 10,000
/// stay in the pool before the product is looked at.
contract Pool {
    event Swap(address indexed trader, bool buysBase, uint256 paid, uint256 received);

    error TooLittle(uint256 received, uint256 wanted);

    IToken public immutable base;
    IToken public immutable quote;
    uint256 public immutable fee;
    uint256 public reserveBase;
    uint256 public reserveQuote;

    constructor(address base_, address quote_, uint256 fee_) {
        require(fee_ < 10_000, "fee too high");
        base = IToken(base_);
        quote = IToken(quote_);
        fee = fee_;
    }

    function getReserves() external view returns (uint256, uint256) {
        return (reserveBase, reserveQuote);
    }

    /// Price of the base token in quote tokens, times 10^18.
    function price() external view returns (uint256) {
        return reserveQuote * 1e18 / reserveBase;
    }

    /// Takes what was sent to the pool into its reserves.
    function sync() external {
        reserveBase = base.balanceOf(address(this));
        reserveQuote = quote.balanceOf(address(this));
    }

    /// What `paid` of one token gives of the other now.
    function quoteOf(bool buysBase, uint256 paid) public view returns (uint256) {
        (uint256 from, uint256 to) = buysBase ? (reserveQuote, reserveBase) : (reserveBase, reserveQuote);
        uint256 effective = paid * (10_000 - fee);
        return effective * to / (from * 10_000 + effective);
    }

    /// Sells `paid` of one token for at least `wanted` of the other.
    function swap(bool buysBase, uint256 paid, uint256 wanted) external returns (uint256 received) {
        require(paid > 0, "nothing paid");
        received = quoteOf(buysBase, paid);
        if (received < wanted) revert TooLittle(received, wanted);
        if (buysBase) {
            reserveQuote += paid;
            reserveBase -= received;
            require(quote.transferFrom(msg.sender, address(this), paid));
            require(base.transfer(msg.sender, received));
        } else {
            reserveBase += paid;
            reserveQuote -= received;
            require(base.transferFrom(msg.sender, address(this), paid));
            require(quote.transfer(msg.sender, received));
        }
        emit Swap(msg.sender, buysBase, paid, received);
    }
}
