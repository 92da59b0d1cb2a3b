// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Sells the first place in a block to the highest bidder at the price of the second highest bid. Bids are payments: what is not
/// the price can be withdrawn.
contract BlockAuction {
    event Settled(uint256 indexed round, address indexed winner, uint256 price);

    error NothingBid();
    error NothingToWithdraw(address bidder);

    address payable public immutable seller;
    uint256 public round;
    uint256 public revenue;
    address public leader;
    uint256 public highest;
    uint256 public second;
    mapping(address => uint256) public refunds;

    constructor(address payable seller_) {
        seller = seller_;
    }

    function bid() external payable {
        if (msg.value == 0) revert NothingBid();
        if (msg.value > highest) {
            refunds[leader] += highest;
            second = highest;
            highest = msg.value;
            leader = msg.sender;
        } else {
            refunds[msg.sender] += msg.value;
            if (msg.value > second) second = msg.value;
        }
    }

    /// Ends the round: the seller is paid the second highest bid.
    function settle() external {
        if (highest == 0) revert NothingBid();
        uint256 price = second;
        refunds[leader] += highest - price;
        revenue += price;
        emit Settled(round, leader, price);
        round += 1;
        leader = address(0);
        highest = 0;
        second = 0;
        seller.transfer(price);
    }

    function withdraw() external {
        uint256 amount = refunds[msg.sender];
        if (amount == 0) revert NothingToWithdraw(msg.sender);
        refunds[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
