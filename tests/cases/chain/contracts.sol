// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Token {
  mapping(address => uint256) public balanceOf;
  uint256 public totalSupply;
  event Transfer(address indexed from, address indexed to, uint256 value);
  constructor(uint256 supply) { totalSupply = supply; balanceOf[msg.sender] = supply; }
  function transfer(address to, uint256 value) external returns (bool) {
    require(balanceOf[msg.sender] >= value, "not enough");
    unchecked { balanceOf[msg.sender] -= value; balanceOf[to] += value; }
    emit Transfer(msg.sender, to, value);
    return true;
  }
}
contract Pair {
  Token public a; Token public b; uint112 r0; uint112 r1; uint32 last; uint256 lock = 1;
  uint256 public price0; uint256 public price1;
  event Swap(address indexed who, uint256 amountIn, uint256 amountOut);
  event Sync(uint112 r0, uint112 r1);
  constructor(Token a_, Token b_) { a = a_; b = b_; }
  function sync() public { r0 = uint112(a.balanceOf(address(this))); r1 = uint112(b.balanceOf(address(this))); emit Sync(r0, r1); }
  function swap(uint256 amountIn, bool zeroForOne) external returns (uint256 out) {
    require(lock == 1); lock = 2;
    (uint256 x, uint256 y) = zeroForOne ? (uint256(r0), uint256(r1)) : (uint256(r1), uint256(r0));
    unchecked { uint32 t = uint32(block.timestamp); uint32 dt = t - last; if (dt > 0) { price0 += (uint256(r1) << 112) / r0 * dt; price1 += (uint256(r0) << 112) / r1 * dt; } last = t; }
    uint256 fee = amountIn * 997; out = fee * y / (x * 1000 + fee);
    Token from = zeroForOne ? a : b; Token to = zeroForOne ? b : a;
    to.transfer(msg.sender, out);
    uint256 n0 = a.balanceOf(address(this)); uint256 n1 = b.balanceOf(address(this)); from;
    r0 = uint112(n0); r1 = uint112(n1); lock = 1;
    emit Sync(r0, r1); emit Swap(msg.sender, amountIn, out);
  }
}
